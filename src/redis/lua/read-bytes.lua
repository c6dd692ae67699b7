--include parts/shard.lua
-- ARGV[4], ARGV[5]: the first and the last byte. Returns version, set bits and the bytes.
local refused = refusal()
if refused then return refused end

local known = redis.call("HMGET", meta, "version", "ones")
return { tonumber(known[1]), tonumber(known[2]), redis.call("GETRANGE", bits, ARGV[4], ARGV[5]) }
