-- Carries out writes of documents of one shard, each by itself: one that is refused does not affect the others; or all of
-- them or none, when one is refused or had been carried out before. First everything is decided, then everything is
-- changed, so that what fails in between changes nothing.
--
-- KEYS  1 order        ZSET, by_seq
--       2 meta         HASH, the shard
--       3 expiries     ZSET, <cid>:<id> by second of expiry
--       4 ids          ZSET, <cid>:<id> of living documents, all with score 0
--       5 ...          HASHes, the document of each write; it may be the same for several
-- ARGV  1 inc          the incarnation that the caller believes in
--       2 now          second with its fraction
--       3 company      1 when two of the writes are of one document, 2 when all are carried out or none, else 0
--       4 ...          for each write: its description, and the fields that it sets, in the order body, user attributes,
--                      system attributes
-- A description, numbers with their highest byte first
--       1 byte   kind: I insert, U upsert, R replace, D remove, T tombstone
--       1        fields that are set, the sum of 1 body, 2 user attributes, 4 system attributes
--       1        fields that are dropped, likewise
--       8        expected: the cas that the document or its lock must have, 0 for any, -1 for never written
--       8        transaction
--       5        type of the new body: J JSON or B binary, and 4 bytes of flags
--       1        E expiry as given, P that of a living document is preserved
--       5        expiry: second, 0 for never
--       1        length of the origin
--       ...      origin, see Origin.java, or nothing
--       ...      stamps, where the new version is written: <field><offset><form>, with commas between; the 18 bytes at
--                offset of that field become the seqno (s), or the cas in reverse order (c)
-- Returns S when shard or incarnation are unknown; else 8 bytes of cas and 8 of seqno of the first write that changes
--         something, which the next ones count on one by one, and a letter for each write
--         W written, w written and the document created; all others are followed by 8 bytes of cas and 8 of seqno:
--         A written before under this transaction, a the same and the document was created by it; C has another cas,
--         E exists, K locked, N not there, S unknown collection. In company 2 nothing is written unless all are W or w.

local FIRST_DOC, FIRST_WRITE = 5, 4
local DESCRIPTION = '>c1BBc8c8c5c1I5B'
local DESCRIPTION_BYTES = 31
-- A header of shared.lua, with one more transaction before the others.
local WRITTEN = '>Bc1I6I2I7I5I5I5c5BBc0c8I6I2c0c0'
local ANY, NEVER = ('\0'):rep(8), ('\255'):rep(8)
local NEW_TYPE = 'J\0\0\0\0'

-- The fields of a sum.
local SETS = {[0] = {}, {'b'}, {'u'}, {'b', 'u'}, {'y'}, {'b', 'y'}, {'u', 'y'}, {'b', 'u', 'y'}}

local function answer(letter, cas, seqno)
  return struct.pack('>c1c8I8', letter, cas, seqno)
end

-- The letter with which a write is refused, or nil.
local function refusal(kind, live, cas, lock, expected, now)
  if live then
    if kind == 'I' or kind == 'T' then return 'E' end
  elseif kind == 'R' or kind == 'D' then
    return 'N'
  end
  if lock and live then
    local key, holds = locked(lock, now)
    if expected == key then return nil end
    if holds then return 'K' end
  end
  if expected == ANY or expected == (cas or NEVER) then return nil end
  return 'C'
end

-- Writes the version of a shard into the fields that are set, which follow the description args[i].
local function stamp(stamps, names, args, i, shard)
  local cas = cas_of(shard)
  local swapped = cas:reverse():gsub('.', function(c) return string.format('%02x', c:byte()) end)
  local plain = struct.pack('>I8', shard.n):gsub('.', function(c) return string.format('%02x', c:byte()) end)
  for field, offset, form in stamps:gmatch('(.)(%d+)([cs])') do
    for k, name in ipairs(names) do
      if name == field then
        local at, value = tonumber(offset), args[i + k]
        args[i + k] = value:sub(1, at) .. '0x' .. (form == 'c' and swapped or plain) .. value:sub(at + 19)
      end
    end
  end
end

-- <cid>:<id> of the document with a key.
local function ref_of(meta, key)
  return key:sub(#meta + 2)
end

-- The fields of meta that count living documents, by number of the collection. Numbers are never used again, so that there
-- are as many as there were collections that this run of Redis has written to.
local COUNTERS = {}

-- Whether a shard has the collection of a document, whose number of living documents then changes.
local function born(meta, shard, key, births)
  local cid = key:match('^%d+', #meta + 2)
  local counter = COUNTERS[cid]
  if not counter then
    counter = 'c:' .. cid
    COUNTERS[cid] = counter
  end
  shard.births = shard.births or {}
  local before = shard.births[counter]
  if not before then
    if redis.call('HEXISTS', meta, counter) == 0 then return false end
    before = 0
  end
  shard.births[counter] = before + births
  return true
end

-- Decides one write, whose description is args[i]; header is that of the document, false for none. Returns its answer, and
-- the fields that it sets; if it is carried out also the new header, the fields that are dropped or nil, the former and the
-- new state, the former and the new expiry.
--
-- All of it stays in local variables: a table for each document costs more than anything else here.
local function decide(meta, shard, key, header, args, i)
  local description, now = args[i], shard.now
  local kind, given, drops, expected, transaction, type, mode, expiry, length = struct.unpack(DESCRIPTION, description)
  local names = SETS[given]
  local was, cas, seqno, former, begin, lock
  local revision, due = 0, 0
  if header then
    was, cas, seqno, revision, due, former, begin, lock = parse(header)
    local before, creation = remembered(header, begin, transaction)
    if before then return answer(creation and 'a' or 'A', before, seqno), names end
  end
  local ended = was == 'L' and due ~= 0 and due <= now
  local live = was == 'L' and not ended
  local refused = refusal(kind, live, cas, lock, expected, now)
  if refused then return answer(refused, cas or ANY, 0), names end

  local is = (kind == 'D' or kind == 'T') and 'D' or 'L'
  local created = not live and is == 'L'
  if (is == 'L') ~= (was == 'L') and not born(meta, shard, key, is == 'L' and 1 or -1) then
    return answer('S', ANY, 0), names
  end
  if was and names[1] ~= 'b' then type = live and former or NEW_TYPE end
  if is == 'D' then
    type, expiry = NEW_TYPE, 0
  elseif mode == 'P' and live then
    expiry = due
  end

  local n = advance(shard)
  local low = n % 65536
  local origin = length == 0 and '' or description:sub(DESCRIPTION_BYTES + 1, DESCRIPTION_BYTES + length)
  local rest, marks = remember(header, begin, created)
  local new = struct.pack(WRITTEN, FORMAT, is, shard.t, low, n, revision + 1, shard.second, expiry, type, length, 0,
    origin, transaction, shard.t, low, rest, marks)
  if #description > DESCRIPTION_BYTES + length then
    stamp(description:sub(DESCRIPTION_BYTES + length + 1), names, args, i, shard)
  end
  -- what users wrote to a tombstone does not become part of the document that takes its place
  if ended or was and created then drops = drops % 4 == 3 and drops or drops + 3 - drops % 4 end
  return created and 'w' or 'W', names, new, SETS[drops], was, is, due, expiry
end

-- Stores the fields of a document that is written; args[i] is the description.
local function store(key, header, names, drops, args, i)
  if drops[1] then redis.call('HDEL', key, unpack(drops)) end
  if names[2] then
    local fields = {'h', header}
    for f, name in ipairs(names) do fields[#fields + 1], fields[#fields + 2] = name, args[i + f] end
    redis.call('HSET', key, unpack(fields))
  elseif names[1] then
    redis.call('HSET', key, 'h', header, names[1], args[i + 1])
  else
    redis.call('HSET', key, 'h', header)
  end
end

-- The writes of a call that are carried out, each at one place of these arrays. They stay from call to call and are written
-- over: tables that are made for each call, or for each document, cost more than all else here. Only the first places are in
-- use, as many as the call at hand has such writes.
local KEY, HEADER, NAMES, DROPS, AT, SEQNO, WAS, IS, EXPIRED, EXPIRES = {}, {}, {}, {}, {}, {}, {}, {}, {}, {}

-- Arguments of the commands that a call makes once for all documents, kept likewise.
local rows, former, due, undue, living, dead = {}, {}, {}, {}, {}, {}

-- Makes a command with the first arguments of a list, if there are any.
local function call(command, key, arguments, count)
  if count > 0 then redis.call(command, key, unpack(arguments, 1, count)) end
end

-- Moves the rows of documents to the end of the order, stores the documents, and brings the expiries, ids and counters up
-- to date. The new rows first: a key that has lost its last member is not to be had again while a cluster moves its slot.
local function carry_out(keys, args, shard, count)
  local meta, expiries, ids = keys[2], keys[3], keys[4]
  local r, f, d, u, l, g = 0, 0, 0, 0, 0, 0
  for k = 1, count do
    local seqno = SEQNO[k]
    if seqno then
      local ref, was, is, expires = ref_of(meta, KEY[k]), WAS[k], IS[k], EXPIRES[k]
      rows[r + 1], rows[r + 2], r = decimal(seqno), ROW[is] .. ref, r + 2
      if was ~= is then
        if was then former[f + 1], f = ROW[was] .. ref, f + 1 end
        if is == 'L' then
          living[l + 1], living[l + 2], l = '0', ref, l + 2
        elseif was == 'L' then
          dead[g + 1], g = ref, g + 1
        end
      end
      if expires ~= EXPIRED[k] then
        if expires == 0 then
          undue[u + 1], u = ref, u + 1
        else
          due[d + 1], due[d + 2], d = decimal(expires), ref, d + 2
        end
      end
    end
  end

  finish(meta, shard)
  call('ZADD', keys[1], rows, r)
  for k = 1, count do store(KEY[k], HEADER[k], NAMES[k], DROPS[k], args, AT[k]) end
  call('ZREM', keys[1], former, f)
  call('ZADD', expiries, due, d)
  call('ZREM', expiries, undue, u)
  call('ZADD', ids, living, l)
  call('ZREM', ids, dead, g)
  if shard.births then
    for counter, births in pairs(shard.births) do
      if births ~= 0 then redis.call('HINCRBY', meta, counter, births) end
    end
  end
end

-- The answers to writes, of which the first that is carried out gets the seqno after n.
local function reply(shard, n, answers)
  local first = shard.n > n and n + 1 or 0
  -- The time went on when the last two bytes began again at 0, which is not so for the first.
  local turned = first > 0 and shard.n % 65536 < first % 65536 and 1 or 0
  return struct.pack('>I6I2I8c0', shard.t - turned, first % 65536, first, answers)
end

-- Carries out the only write of a call.
local function write_one(keys, args, shard)
  local key, meta, n = keys[FIRST_DOC], keys[2], shard.n
  local letter, names, header, drops, was, is, expired, expires =
    decide(meta, shard, key, redis.call('HGET', key, 'h'), args, FIRST_WRITE)
  if not header then return reply(shard, n, letter) end
  if was == is and expired == expires then -- nearly every write
    redis.call('ZADD', keys[1], finish(meta, shard), ROW[is] .. ref_of(meta, key))
    store(key, header, names, drops, args, FIRST_WRITE)
  else
    KEY[1], HEADER[1], NAMES[1], DROPS[1], AT[1] = key, header, names, drops, FIRST_WRITE
    SEQNO[1], WAS[1], IS[1], EXPIRED[1], EXPIRES[1] = shard.n, was, is, expired, expires
    carry_out(keys, args, shard, 1)
  end
  return reply(shard, n, letter)
end

-- Carries out several writes. A document that is written more than once has one row, that of the last write.
local function write_all(keys, args, shard, company)
  local meta, n = keys[2], shard.n
  local atomic, known = company == '2', company == '1' and {} or nil
  local answers, count, i = {}, 0, FIRST_WRITE
  for k = FIRST_DOC, #keys do
    local key = keys[k]
    local earlier = known and known[key]
    local letter, names, header, drops, was, is, expired, expires =
      decide(meta, shard, key, earlier and HEADER[earlier] or redis.call('HGET', key, 'h'), args, i)
    answers[k - FIRST_DOC + 1] = letter
    if header then
      count = count + 1
      if earlier then
        was, expired, SEQNO[earlier] = WAS[earlier], EXPIRED[earlier], false
      end
      KEY[count], HEADER[count], NAMES[count], DROPS[count], AT[count] = key, header, names, drops, i
      SEQNO[count], WAS[count], IS[count], EXPIRED[count], EXPIRES[count] = shard.n, was, is, expired, expires
      if known then known[key] = count end
    end
    i = i + 1 + #names
  end
  if count > 0 and not (atomic and count < #answers) then carry_out(keys, args, shard, count) end
  return reply(shard, n, table.concat(answers))
end

local function write(keys, args)
  local now = tonumber(args[2])
  local shard = start(keys[2], args[1], now)
  if not shard then return 'S' end
  shard.now, shard.second = now, math.floor(now)
  if #keys == FIRST_DOC then return write_one(keys, args, shard) end
  return write_all(keys, args, shard, args[3])
end

redis.register_function(LIBRARY .. '_write', write)
