--include parts/shard.lua
-- ARGV[4], ARGV[5]: the version the caller has, and its mark. ARGV[6]: how many entries it takes at a time.
-- Returns the shard's version, its set bits, the mark after the last entry that follows, and what came after the caller's
-- version: kind, data, kind, data …
-- "gap": the log does not reach back that far. "fork": the shard went back, and perhaps on from there without the caller.
local refused = refusal()
if refused then return refused end

local known = redis.call("HMGET", meta, "version", "mark", "ones")
local version, expected, mark = tonumber(known[1]), tonumber(ARGV[4]), ARGV[5]
local reply = { version, tonumber(known[3]), mark }
if version == expected then return known[2] == mark and reply or "fork" end
if version < expected then return "fork" end

local function id() return string.format("%.0f-0", expected) end
-- With the caller's own entry in front, for its mark; before the first there is none.
local entries = redis.pcall("XRANGE", log, id(), "+", "COUNT", ARGV[6] + 1)
if entries.err then return "gap" end
local first = 1
if expected > 0 then
  if not entries[1] or entries[1][1] ~= id() then return "gap" end
  if entries[1][2][4] ~= mark then return "fork" end
  first = 2
end
for i = first, #entries do
  local entry = entries[i]
  expected = expected + 1
  if entry[1] ~= id() then return "gap" end
  reply[3] = entry[2][4]
  reply[#reply + 1] = entry[2][1]
  reply[#reply + 1] = entry[2][2]
end
return #reply > 3 and reply or "gap"
