--include parts/shard.lua
-- ARGV[4]: line numbers, u32 each. Returns the lines; the caller probes them.
local refused = refusal()
if refused then return refused end

local wanted, lines = ARGV[4], {}
for i = 1, #wanted / 4 do
  local at = struct.unpack("<I4", wanted, i * 4 - 3) * 64
  lines[i] = redis.call("GETRANGE", bits, at, at + 63)
end
return { table.concat(lines) }
