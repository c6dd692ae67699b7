-- KEYS: layout. ARGV: the epoch and number it must have ("" and "" for none), those it gets, and what it says.
-- Returns 1, or 0 where somebody else was quicker.
local known = redis.call("HMGET", KEYS[1], "epoch", "number")
if (known[1] or "") ~= ARGV[1] or (known[2] or "") ~= ARGV[2] then return 0 end
redis.call("HSET", KEYS[1], "epoch", ARGV[3], "number", ARGV[4], "layers", ARGV[5])
return 1
