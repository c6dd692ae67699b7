--include parts/shard.lua
-- ARGV[4], ARGV[5]: the first and the last byte. Returns version, its mark, set bits and the bytes.
local refused = refusal()
if refused then return refused end

local known = redis.call("HMGET", meta, "version", "mark", "ones")
return { tonumber(known[1]), known[2], tonumber(known[3]), redis.call("GETRANGE", bits, ARGV[4], ARGV[5]) }
