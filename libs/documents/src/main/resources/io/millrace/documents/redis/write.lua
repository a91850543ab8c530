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

-- Whether a shard has a collection, whose number of living documents then changes.
local function born(meta, shard, key, births)
  local counter = 'c:' .. ref_of(meta, key):match('^%d+')
  shard.births = shard.births or {}
  if not shard.births[counter] then
    if redis.call('HEXISTS', meta, counter) == 0 then return false end
    shard.births[counter] = 0
  end
  shard.births[counter] = shard.births[counter] + births
  return true
end

-- Decides one write, whose description is args[i]; header is that of the document, false for none. Returns its answer, and
-- the fields that it sets; if it is carried out also the new header, the fields that are dropped or nil, the former and the
-- new state, the former and the new expiry.
--
-- All of it stays in local variables: a table for each document costs more than anything else here.
local function decide(meta, shard, key, header, args, i, now)
  local description = args[i]
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
  local new = struct.pack(WRITTEN, FORMAT, is, shard.t, low, n, revision + 1, math.floor(now), expiry, type, length, 0,
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

-- Adds to a table, which is made when it is needed.
local function add(list, first, second)
  list = list or {}
  list[#list + 1] = first
  if second then list[#list + 1] = second end
  return list
end

local function call(command, key, arguments)
  if arguments then redis.call(command, key, unpack(arguments)) end
end

-- Moves the rows of documents to the end of the order, stores the documents, and brings the expiries, ids and counters up
-- to date. The new rows first: a key that has lost its last member is not to be had again while a cluster moves its slot.
local function carry_out(keys, args, shard, plan)
  local meta, expiries, ids = keys[2], keys[3], keys[4]
  local rows, former, due, undue, living, dead = {}, nil, nil, nil, nil, nil
  for k = 1, #plan do
    local write = plan[k]
    local seqno, was, is, expired, expires = unpack(write, 6, 10)
    if seqno then
      local ref = ref_of(meta, write[1])
      rows[#rows + 1], rows[#rows + 2] = decimal(seqno), ROW[is] .. ref
      if was ~= is then
        if was then former = add(former, ROW[was] .. ref) end
        if is == 'L' then living = add(living, 0, ref) elseif was == 'L' then dead = add(dead, ref) end
      end
      if expires ~= expired then
        if expires == 0 then undue = add(undue, ref) else due = add(due, decimal(expires), ref) end
      end
    end
  end

  finish(meta, shard)
  redis.call('ZADD', keys[1], unpack(rows))
  for k = 1, #plan do
    local key, header, names, drops, i = unpack(plan[k], 1, 5)
    store(key, header, names, drops, args, i)
  end
  call('ZREM', keys[1], former)
  call('ZADD', expiries, due)
  call('ZREM', expiries, undue)
  call('ZADD', ids, living)
  call('ZREM', ids, dead)
  for counter, births in pairs(shard.births or {}) do
    if births ~= 0 then redis.call('HINCRBY', meta, counter, births) end
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
local function write_one(keys, args, shard, now)
  local key, meta, n = keys[FIRST_DOC], keys[2], shard.n
  local letter, names, header, drops, was, is, due, expiry =
    decide(meta, shard, key, redis.call('HGET', key, 'h'), args, FIRST_WRITE, now)
  if not header then return reply(shard, n, letter) end
  if was == is and due == expiry then -- nearly every write
    redis.call('ZADD', keys[1], finish(meta, shard), ROW[is] .. ref_of(meta, key))
    store(key, header, names, drops, args, FIRST_WRITE)
  else
    carry_out(keys, args, shard, {{key, header, names, drops, FIRST_WRITE, shard.n, was, is, due, expiry}})
  end
  return reply(shard, n, letter)
end

-- Carries out several writes. A document that is written more than once has one row, that of the last write.
local function write_all(keys, args, shard, now, company)
  local meta, n = keys[2], shard.n
  local several, atomic = company == '1', company == '2'
  local plan, answers, known, i = {}, {}, {}, FIRST_WRITE
  for k = FIRST_DOC, #keys do
    local key = keys[k]
    local former = several and known[key]
    local letter, names, header, drops, was, is, due, expiry =
      decide(meta, shard, key, former and former[2] or redis.call('HGET', key, 'h'), args, i, now)
    answers[#answers + 1] = letter
    if header then
      local write = {key, header, names, drops, i, shard.n, was, is, due, expiry}
      plan[#plan + 1] = write
      if several then known[key] = write end
      if former then
        write[7], write[9] = former[7], former[9]
        former[6] = false
      end
    end
    i = i + 1 + #names
  end
  if plan[1] and not (atomic and #plan < #answers) then carry_out(keys, args, shard, plan) end
  return reply(shard, n, table.concat(answers))
end

local function write(keys, args)
  local now = tonumber(args[2])
  local shard = start(keys[2], args[1], now)
  if not shard then return 'S' end
  if #keys == FIRST_DOC then return write_one(keys, args, shard, now) end
  return write_all(keys, args, shard, now, args[3])
end

redis.register_function(LIBRARY .. '_write', write)
