--include parts/shard.lua
-- ORs lines into the shard: an old line cannot erase a new one, and doing it twice is doing it once.
-- ARGV[4]: how many entries the log keeps. ARGV[5]: records of a line number (u32) and a line (64 bytes).
-- ARGV[6]: for each record the hash it came from (12 bytes), or nothing where lines are pushed as such.
-- Returns version, set bits, and a byte for each record: 1 = it changed the shard.
local refused = refusal()
if refused then return refused end

local bor, band = bit.bor, bit.band
local call, pack, unpack_from = redis.call, struct.pack, struct.unpack
local LINE = string.rep("i4", 16)
local WORDS, RECORD = "<" .. LINE, "<I4" .. LINE
local records, hashes = ARGV[5], ARGV[6]
local changed, news, fresh = {}, {}, 0

-- A word with more bits. Most of a key's line is empty, so this is worth a test before the call.
local function with(word, more)
  local both = bor(word, more)
  local new = both - word
  while new ~= 0 do
    new = band(new, new - 1)
    fresh = fresh + 1
  end
  return both
end

for i = 1, #records / 68 do
  local from = i * 68 - 67
  local at, A, B, C, D, E, F, G, H, J, K, L, M, N, O, P, Q = unpack_from(RECORD, records, from)
  at = at * 64
  local a, b, c, d, e, f, g, h, j, k, l, m, n, o, p, q = unpack_from(WORDS, call("GETRANGE", bits, at, at + 63))
  local before = fresh
  if A ~= 0 then a = with(a, A) end
  if B ~= 0 then b = with(b, B) end
  if C ~= 0 then c = with(c, C) end
  if D ~= 0 then d = with(d, D) end
  if E ~= 0 then e = with(e, E) end
  if F ~= 0 then f = with(f, F) end
  if G ~= 0 then g = with(g, G) end
  if H ~= 0 then h = with(h, H) end
  if J ~= 0 then j = with(j, J) end
  if K ~= 0 then k = with(k, K) end
  if L ~= 0 then l = with(l, L) end
  if M ~= 0 then m = with(m, M) end
  if N ~= 0 then n = with(n, N) end
  if O ~= 0 then o = with(o, O) end
  if P ~= 0 then p = with(p, P) end
  if Q ~= 0 then q = with(q, Q) end
  if fresh == before then
    changed[i] = "\0"
  else
    changed[i] = "\1"
    call("SETRANGE", bits, at, pack(WORDS, a, b, c, d, e, f, g, h, j, k, l, m, n, o, p, q))
    news[#news + 1] = hashes == "" and records:sub(from, from + 67) or hashes:sub(i * 12 - 11, i * 12)
  end
end

local ones = call("HINCRBY", meta, "ones", fresh)
if fresh == 0 then return { tonumber(call("HGET", meta, "version")), ones, table.concat(changed) } end

-- The mark tells this history from another of as many versions: a server that lost its last writes counts on as before.
local version, data = call("HINCRBY", meta, "version", 1), table.concat(news)
local mark = redis.sha1hex((call("HGET", meta, "mark") or "") .. data)
call("HSET", meta, "mark", mark)
local entry = { "XADD", log, "MAXLEN", "~", ARGV[4], string.format("%.0f-0", version),
  hashes == "" and "lines" or "hashes", data, "mark", mark }
-- A log that takes no such entry is not ours any more. Without it, readers see a gap and fetch the bits.
if redis.pcall(unpack(entry)).err then call("UNLINK", log) end
return { version, ones, table.concat(changed) }
