-- KEYS: bits, meta, log. ARGV: epoch, layout, milliseconds to live or "". Whoever comes with an older layout is told
-- to read the new one. A shard that is on its way out says so until it is gone.
local known = redis.call("HMGET", KEYS[2], "epoch", "layout")
if known[1] ~= ARGV[1] then return "gone" end
if tonumber(known[2]) < tonumber(ARGV[2]) then redis.call("HSET", KEYS[2], "layout", ARGV[2]) end
if ARGV[3] ~= "" then
  for _, key in ipairs(KEYS) do redis.call("PEXPIRE", key, ARGV[3]) end
end
return 1
