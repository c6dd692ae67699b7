--include parts/shard.lua
-- ARGV[4]: the version the caller has. ARGV[5]: how many entries it takes at a time.
-- Returns the shard's version, its set bits, and what came after the caller's version: kind, data, kind, data …
-- "gap": the log does not reach back that far, or the shard is older than the caller's copy.
local refused = refusal()
if refused then return refused end

local known = redis.call("HMGET", meta, "version", "ones")
local version, expected = tonumber(known[1]), tonumber(ARGV[4])
local reply = { version, tonumber(known[2]) }
if version == expected then return reply end

local entries = redis.pcall("XRANGE", log, string.format("%.0f-0", expected + 1), "+", "COUNT", ARGV[5])
if entries.err or #entries == 0 then return "gap" end
for _, entry in ipairs(entries) do
  expected = expected + 1
  if entry[1] ~= string.format("%.0f-0", expected) then return "gap" end
  reply[#reply + 1] = entry[2][1]
  reply[#reply + 1] = entry[2][2]
end
return reply
