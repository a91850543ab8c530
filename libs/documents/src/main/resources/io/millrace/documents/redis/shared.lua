-- What the operations below share. Loaded first, see FunctionLibrary.java.
--
-- Fields of a document's hash
--   h  header: <state><cas><lock>,<datatype><flags>,<expiry>,<revision>,<modified>,<origin>\n<transactions>
--      state L living, D deleted, E expired; cas = seqno; lock !<until>:<cas>, until a second with its fraction, or
--      empty; datatype J JSON, B binary; expiry second, or empty; revision counts mutations; modified second;
--      origin <instance>:<hops>, or empty; transactions the newest 8, newest first: 8 bytes of id, 8 bytes of cas;
--      then a byte, absent when it would be 0, whose bit i is set when the i-th oldest of them created the document. It
--      is last, and counts from the oldest, so that versions that do not know it neither misread nor misplace it
--   b  body, u user attributes, y system attributes: bytes that no function reads
-- Fields of a shard's hash
--   gate     <inc>, the incarnation; <inc>! when a reader waits for a notification; ~<inc>~<move> while writers are
--            refused because the bucket moves, ~<inc>~<move>! when it has moved; absent when the shard is closed
--   arriving <move>, while a move brings the bucket here
--   n        newest seqno
--   run      in which run of Redis the shard was opened last, see run
--   lost     <first> <newest>, when Redis may have lost writes: the number before the first seqno since then, and the
--            newest from before that is left; absent when that never was
--   c:<cid>  living documents of a collection; absent when the shard is closed to it
-- Member of by_seq: format byte 1, state, <cid>:<id>

local TRANSACTION_BYTES = 16
local REMEMBERED = 8 * TRANSACTION_BYTES

-- Names this run of Redis: a process and, in a cluster, its node. A restarted process, or a replica that was
-- promoted, has not asked yet.
local asked

local function run()
  if not asked then
    local node = redis.pcall('CLUSTER', 'MYID')
    asked = redis.call('INFO', 'server'):match('run_id:(%x+)') .. (type(node) == 'string' and ' ' .. node or '')
  end
  return asked
end

-- The incarnation of a shard, also while callers are refused there; false when it is closed.
local function incarnation(gate)
  return gate and gate:match('%d+')
end

-- Whether a caller expects the incarnation of a shard, and whether a reader waits for a notification.
local function admitted(gate, inc)
  if gate == inc then return true, false end
  return gate == inc .. '!', true
end

-- Whether a caller of this incarnation may write, and whether a reader waits for that. In another run of Redis no caller
-- may before the shard is opened again: the last writes may be lost, and their numbers must not be assigned again.
local function enter(meta, inc)
  local found = redis.call('HMGET', meta, 'gate', 'run')
  if found[2] ~= run() then return false end
  return admitted(found[1], inc)
end

local function next_seqno(meta)
  return string.format('%.0f', redis.call('HINCRBY', meta, 'n', 1))
end

-- Parts of a header: state, cas, lock, type, expiry, revision, and where its transactions begin.
local function parse(header)
  return header:match('^(.)(%d+)([^,]*),([^,]*),([^,]*),(%d+),[^\n]*\n()')
end

-- What follows the expiry in the header of a new mutation: revision and modified. Now is a second, maybe with a fraction.
local function history(revision, now)
  return string.format('%.0f', (tonumber(revision) or 0) + 1) .. ',' .. now:match('^-?%d+') .. ','
end

-- The cas of a lock, and whether the lock still holds; nil when there is none.
local function locked(lock, now)
  if lock == '' then return nil, false end
  local till, cas = lock:match('^!([^:]*):(.*)')
  return cas, tonumber(till) > tonumber(now)
end

-- How many transactions a header remembers, and the byte of those that created the document.
local function creations(header, begin)
  local length = #header - begin + 1
  return math.floor(length / TRANSACTION_BYTES), length % TRANSACTION_BYTES == 1 and header:byte(-1) or 0
end

-- The transactions of a header after one more; begin is nil when there was no header.
local function remember(header, begin, transaction, seqno, created)
  local count, marks, rest = 0, 0, ''
  if begin then
    count, marks = creations(header, begin)
    if count * TRANSACTION_BYTES >= REMEMBERED then count, marks = count - 1, math.floor(marks / 2) end
    rest = header:sub(begin, begin + count * TRANSACTION_BYTES - 1)
  end
  if created then marks = marks + 2 ^ count end
  return transaction .. struct.pack('>I8', seqno) .. rest .. (marks > 0 and string.char(marks) or '')
end

-- The cas that a transaction led to and whether it created the document; nil when the header does not remember it.
local function remembered(header, begin, id)
  local at = header:find(id, begin, true)
  while at and (at - begin) % TRANSACTION_BYTES ~= 0 do
    at = header:find(id, at + 1, true)
  end
  if not at then return nil end
  local count, marks = creations(header, begin)
  local older = count - 1 - (at - begin) / TRANSACTION_BYTES
  local cas = string.format('%.0f', struct.unpack('>I8', header:sub(at + 8, at + 15)))
  return cas, math.floor(marks / 2 ^ older) % 2 == 1
end

-- Moves the row of a document to the end of the order; from is its former state, or nil when it is new. The new row
-- first: a key that has lost its last member is not to be had again while a cluster moves its slot.
local function move(order, ref, from, to, seqno)
  redis.call('ZADD', order, seqno, '1' .. to .. ref)
  if from and from ~= to then
    redis.call('ZREM', order, '1' .. from .. ref)
  end
end

-- Puts the row of a document into an order, in place of whatever row it had there: the new one first, as in move.
local function place(order, row, seqno)
  redis.call('ZADD', order, seqno, row)
  for state in ('LDE'):gmatch('.') do
    if state ~= row:sub(2, 2) then redis.call('ZREM', order, '1' .. state .. row:sub(3)) end
  end
end

-- Wakes the readers of a shard. Later writes send no notification until a reader waits again.
local function ring(meta, inc, seqno)
  redis.call('HSET', meta, 'gate', inc)
  redis.call('PUBLISH', 'mr:bell', meta:match('{(.*)}') .. ':' .. seqno)
end
