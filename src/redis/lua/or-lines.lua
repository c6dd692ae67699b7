--include parts/shard.lua
-- ORs lines into the shard: an old line cannot erase a new one, and doing it twice is doing it once.
-- ARGV[4]: how many entries the log keeps. ARGV[5]: a record for each line, as line-records.ts packs it.
-- ARGV[6], ARGV[7]: what the log is told: the kind, and as many bytes for each record.
-- Returns version, set bits, and a byte for each record: 1 = it changed the shard.
local refused = refusal()
if refused then return refused end

local WORDS = {}
for n = 1, 16 do WORDS[n] = "<" .. string.rep("I4", n) end

local call, pack, unpack_from, next_record, band = redis.call, struct.pack, struct.unpack, cmsgpack.unpack_limit, bit.band
local records, kind, data = ARGV[5], ARGV[6], ARGV[7]
local known, count, repeated, fresh, new = {}, 0, 0, 0, 0

-- Several bits at once. `bit` answers with a sign.
local function join(word, mask)
  local missing = mask - band(word, mask) % 2 ^ 32
  word = word + missing
  while missing ~= 0 do
    missing = band(missing, missing - 1)
    new = new + 1
  end
  return word
end

local at = 0
repeat
  local from, to, n, A, B, C, D, E, F, G, H, J, K, L, M, N, O, P, Q
  at, from, to, n, A, B, C, D, E, F, G, H, J, K, L, M, N, O, P, Q = next_record(records, 19, at)
  local words = WORDS[n]
  local a, b, c, d, e, f, g, h, j, k, l, m, n, o, p, q = unpack_from(words, call("GETRANGE", bits, from, to))
  new = 0
  if A ~= 0 then if A < 0 then a = join(a, -A) elseif a % (A + A) < A then a = a + A new = new + 1 end end
  if B ~= 0 then if B < 0 then b = join(b, -B) elseif b % (B + B) < B then b = b + B new = new + 1 end end
  if C ~= 0 then if C < 0 then c = join(c, -C) elseif c % (C + C) < C then c = c + C new = new + 1 end end
  if D ~= 0 then if D < 0 then d = join(d, -D) elseif d % (D + D) < D then d = d + D new = new + 1 end end
  if E ~= 0 then if E < 0 then e = join(e, -E) elseif e % (E + E) < E then e = e + E new = new + 1 end end
  if F ~= 0 then if F < 0 then f = join(f, -F) elseif f % (F + F) < F then f = f + F new = new + 1 end end
  if G ~= 0 then if G < 0 then g = join(g, -G) elseif g % (G + G) < G then g = g + G new = new + 1 end end
  if H ~= 0 then if H < 0 then h = join(h, -H) elseif h % (H + H) < H then h = h + H new = new + 1 end end
  if J ~= 0 then if J < 0 then j = join(j, -J) elseif j % (J + J) < J then j = j + J new = new + 1 end end
  if K ~= 0 then if K < 0 then k = join(k, -K) elseif k % (K + K) < K then k = k + K new = new + 1 end end
  if L ~= 0 then if L < 0 then l = join(l, -L) elseif l % (L + L) < L then l = l + L new = new + 1 end end
  if M ~= 0 then if M < 0 then m = join(m, -M) elseif m % (M + M) < M then m = m + M new = new + 1 end end
  if N ~= 0 then if N < 0 then n = join(n, -N) elseif n % (N + N) < N then n = n + N new = new + 1 end end
  if O ~= 0 then if O < 0 then o = join(o, -O) elseif o % (O + O) < O then o = o + O new = new + 1 end end
  if P ~= 0 then if P < 0 then p = join(p, -P) elseif p % (P + P) < P then p = p + P new = new + 1 end end
  if Q ~= 0 then if Q < 0 then q = join(q, -Q) elseif q % (Q + Q) < Q then q = q + Q new = new + 1 end end
  count = count + 1
  if new == 0 then
    repeated = repeated + 1
    known[count] = true
  else
    fresh = fresh + new
    call("SETRANGE", bits, from, pack(words, a, b, c, d, e, f, g, h, j, k, l, m, n, o, p, q))
  end
until at == -1

-- What is new of the batch: most often all of it.
local changed = string.rep("\1", count)
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
local entry = { "XADD", log, "MAXLEN", "~", ARGV[4], string.format("%.0f-0", version), kind, data, "mark", mark }
-- A log that takes no such entry is not ours any more. Without it, readers see a gap and fetch the bits.
if redis.pcall(unpack(entry)).err then call("UNLINK", log) end
return { version, total, changed }
