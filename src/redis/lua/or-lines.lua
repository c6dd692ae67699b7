--include parts/shard.lua
-- ORs lines into the shard: an old line cannot erase a new one, and doing it twice is doing it once.
-- ARGV[4]: how many entries the log keeps. ARGV[5]: records of a line number (u32), its set bits (u32) and a line (64 bytes).
-- ARGV[6]: for each record the hash it came from (12 bytes), or nothing where lines are pushed as such.
-- ARGV[7]: for each record the line's first and last byte in the shard, as text that ends with a zero: Redis writes numbers with 17
-- digits and reads them again, which would take as long as the commands themselves.
-- Returns version, set bits, and a byte for each record: 1 = it changed the shard.
local refused = refusal()
if refused then return refused end

local band = bit.band
local call, pack, unpack_from = redis.call, struct.pack, struct.unpack
local LINE = string.rep("i4", 16)
local WORDS, RECORD = "<" .. LINE, "<I4I4" .. LINE
local records, hashes = ARGV[5], ARGV[6]
local count = #records / 72
local known, repeated, same, fresh = {}, 0, 0, 0

-- Counts bits that are there already: of a new key there are few.
local function note(found)
  while found ~= 0 do
    found = band(found, found - 1)
    same = same + 1
  end
end

local from, to, place = nil, nil, 1
for i = 1, count do
  local _, ones, A, B, C, D, E, F, G, H, J, K, L, M, N, O, P, Q = unpack_from(RECORD, records, i * 72 - 71)
  from, to, place = unpack_from("ss", ARGV[7], place)
  local line = call("GETRANGE", bits, from, to)
  local a, b, c, d, e, f, g, h, j, k, l, m, n, o, p, q = unpack_from(WORDS, line)
  local both
  same = 0
  if A ~= 0 then both = band(a, A) a = a + A - both if both ~= 0 then note(both) end end
  if B ~= 0 then both = band(b, B) b = b + B - both if both ~= 0 then note(both) end end
  if C ~= 0 then both = band(c, C) c = c + C - both if both ~= 0 then note(both) end end
  if D ~= 0 then both = band(d, D) d = d + D - both if both ~= 0 then note(both) end end
  if E ~= 0 then both = band(e, E) e = e + E - both if both ~= 0 then note(both) end end
  if F ~= 0 then both = band(f, F) f = f + F - both if both ~= 0 then note(both) end end
  if G ~= 0 then both = band(g, G) g = g + G - both if both ~= 0 then note(both) end end
  if H ~= 0 then both = band(h, H) h = h + H - both if both ~= 0 then note(both) end end
  if J ~= 0 then both = band(j, J) j = j + J - both if both ~= 0 then note(both) end end
  if K ~= 0 then both = band(k, K) k = k + K - both if both ~= 0 then note(both) end end
  if L ~= 0 then both = band(l, L) l = l + L - both if both ~= 0 then note(both) end end
  if M ~= 0 then both = band(m, M) m = m + M - both if both ~= 0 then note(both) end end
  if N ~= 0 then both = band(n, N) n = n + N - both if both ~= 0 then note(both) end end
  if O ~= 0 then both = band(o, O) o = o + O - both if both ~= 0 then note(both) end end
  if P ~= 0 then both = band(p, P) p = p + P - both if both ~= 0 then note(both) end end
  if Q ~= 0 then both = band(q, Q) q = q + Q - both if both ~= 0 then note(both) end end
  if same == ones then
    repeated = repeated + 1
    known[i] = true
  else
    fresh = fresh + ones - same
    call("SETRANGE", bits, from, pack(WORDS, a, b, c, d, e, f, g, h, j, k, l, m, n, o, p, q))
  end
end

-- What is new of the batch: most often all of it.
local changed, data = string.rep("\1", count), hashes == "" and records or hashes
if repeated > 0 then
  local flags, news, size = {}, {}, #data / count
  for i = 1, count do
    flags[i] = known[i] and "\0" or "\1"
    if not known[i] then news[#news + 1] = data:sub((i - 1) * size + 1, i * size) end
  end
  changed, data = table.concat(flags), table.concat(news)
end

local total = call("HINCRBY", meta, "ones", fresh)
if fresh == 0 then return { tonumber(call("HGET", meta, "version")), total, changed } end

-- The mark tells this history from another of as many versions: a server that lost its last writes counts on as before.
local version = call("HINCRBY", meta, "version", 1)
local mark = redis.sha1hex((call("HGET", meta, "mark") or "") .. data)
call("HSET", meta, "mark", mark)
local entry = { "XADD", log, "MAXLEN", "~", ARGV[4], string.format("%.0f-0", version),
  hashes == "" and "lines" or "hashes", data, "mark", mark }
-- A log that takes no such entry is not ours any more. Without it, readers see a gap and fetch the bits.
if redis.pcall(unpack(entry)).err then call("UNLINK", log) end
return { version, total, changed }
