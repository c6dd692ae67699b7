--include parts/shard.lua
-- ARGV[4]: for each line its first and last byte, as text that ends with a zero. Returns the lines; the caller probes them.
local refused = refusal()
if refused then return refused end

local places, lines = ARGV[4], {}
local at, from, to = 1, nil, nil
while at <= #places do
  from, to, at = struct.unpack("ss", places, at)
  lines[#lines + 1] = redis.call("GETRANGE", bits, from, to)
end
return { table.concat(lines) }
