-- KEYS: bits, meta, log. ARGV: epoch, layout, bytes. A shard of this epoch is left alone: clients repeat commands.
local known = redis.pcall("HGET", KEYS[2], "epoch")
if known == ARGV[1] then return 0 end
redis.call("UNLINK", KEYS[1], KEYS[2], KEYS[3])
redis.call("SETRANGE", KEYS[1], ARGV[3] - 1, "\0")
redis.call("HSET", KEYS[2], "epoch", ARGV[1], "layout", ARGV[2], "version", 0, "mark", "", "ones", 0)
return 1
