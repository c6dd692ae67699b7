-- What every script on a shard begins with. KEYS: bits, meta, log. ARGV: epoch, layout, bytes, …
--
-- A missing string reads as zeros, which would be "absent" for every key. So a shard answers only while its meta is of
-- the caller's epoch and its bits are all there; and only those who know the newest layout, because others do not look
-- into every layer.
local bits, meta, log = KEYS[1], KEYS[2], KEYS[3]

local function refusal()
  local known = redis.call("HMGET", meta, "epoch", "layout")
  if known[1] ~= ARGV[1] or redis.call("STRLEN", bits) ~= tonumber(ARGV[3]) then return "gone" end
  if tonumber(known[2]) > tonumber(ARGV[2]) then return "stale" end
  return nil
end
