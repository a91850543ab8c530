-- What the operations below share. Loaded first, see FunctionLibrary.java.
--
-- Fields of a document's hash
--   h  header, numbers with their highest byte first:
--        1 byte   format, 2; anything else is a header of format 1, a text that only parse_text knows
--        1        state: L living, D deleted, E expired
--        8        cas: nanoseconds since 1970 in units of 65,536, and in the last two bytes the seqno's
--        7        seqno
--        5        revision: counts mutations
--        5        modified: second
--        5        expiry: second, 0 for never
--        5        type: J JSON or B binary, and 4 bytes of flags
--        1        length of the origin
--        1        1 when there is a lock, else 0
--        14       the lock, if any: 6 bytes until which millisecond it holds, 8 of its cas
--        ...      origin, see Origin.java, or nothing
--        ...      transactions, the newest 8, newest first: 8 bytes of id, 8 bytes of cas; then a byte, absent when it
--                 would be 0, whose bit i is set when the i-th oldest of them created the document
--   b  body, u user attributes, y system attributes: bytes that no function reads
-- Fields of a shard's hash
--   gate     <inc>/<format>, the incarnation and the newest format of documents; with ! behind it when a reader waits for
--            a notification; ~<inc>/<format>~<move> while writers are refused because the bucket moves, with ! behind it
--            when it has moved; absent when the shard is closed
--   arriving <move>, while a move brings the bucket here
--   n        newest seqno
--   t        the time of the newest cas, in units of 65,536 ns
--   run      in which run of Redis the shard was opened last, see run
--   lost     <first> <newest>, when Redis was restarted or replaced and may have lost writes: the number before the
--            first seqno since then, and the newest from before that is left; the earlier ones follow, with blanks between;
--            absent when that never was
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

-- The last three digits of numbers.
local DIGITS = {}
for i = 0, 999 do DIGITS[i] = ('%03d'):format(i) end

-- Makes a function that writes whole numbers in decimal. Redis itself would write them as fractions with 17 digits, which
-- takes long, as does any format; numbers that grow in small steps differ in their last digits only.
local function decimals()
  local thousands, prefix
  return function(number)
    if number < 1000 then return string.format('%d', number) end
    local rest = number % 1000
    if number - rest ~= thousands then
      thousands = number - rest
      prefix = string.format('%d', thousands / 1000)
    end
    return prefix .. DIGITS[rest]
  end
end

local decimal, ticks = decimals(), decimals()

-- Time runs in units of 65,536 ns, and so in steps that a number holds exactly.
local TICKS_PER_SECOND = 1e9 / 65536

-- The clock of Redis may be this many seconds ahead of that of the caller before it is not believed.
local MAX_CLOCK_LEAD_SECONDS = 300

-- The incarnation of a gate, also while callers are refused there; false when there is none.
local function incarnation(gate)
  return gate and gate:match('%d+')
end

-- Whether a caller expects the incarnation of a shard, and whether a reader waits for a notification.
local function admitted(gate, inc)
  if gate == inc then return true, false end
  return gate == inc .. '!', true
end

-- Whether a shard has the incarnation that a caller expects, whatever the format of its documents, and is not shut.
local function readable(gate, inc)
  return gate and gate:match('^%d+') == incarnation(inc)
end

-- The time of the next cas: never earlier than the one before, whatever clocks do.
local function tick(newest, now)
  local time = redis.call('TIME')
  local second = math.min(time[1] + time[2] / 1e6, now + MAX_CLOCK_LEAD_SECONDS)
  return math.max(newest, math.floor(second * TICKS_PER_SECOND))
end

-- Whether a caller of this incarnation may write. In another run of Redis no caller may before the shard is opened again:
-- the last writes may be lost, and their numbers must not be assigned again.
local function enter(meta, inc)
  local found = redis.call('HMGET', meta, 'gate', 'run')
  return found[2] == run() and admitted(found[1], inc)
end

-- As enter, for a caller that changes documents: the counters of the shard, or nil.
local function start(meta, inc, now)
  local found = redis.call('HMGET', meta, 'gate', 'run', 'n', 't')
  if found[2] ~= run() then return nil end
  local open, awaited = admitted(found[1], inc)
  if not open then return nil end
  return {inc = inc, awaited = awaited, n = tonumber(found[3]), t = tick(tonumber(found[4]) or 0, now), births = nil}
end

-- The seqno of the next mutation; the time of its cas is then that of the shard, and the last two bytes are those of the
-- seqno. Both only grow: when the two bytes begin again at 0, the time goes on.
local function advance(shard)
  local n = shard.n + 1
  if n % 65536 == 0 then shard.t = shard.t + 1 end
  shard.n = n
  return n
end

-- The cas of the newest mutation.
local function cas_of(shard)
  return struct.pack('>I6I2', shard.t, shard.n % 65536)
end

-- Stores the counters of a shard, and wakes its readers when one waits. Returns the newest seqno in decimal. Later writes
-- send no notification until a reader waits again.
local function finish(meta, shard)
  local n, t = decimal(shard.n), ticks(shard.t)
  if not shard.awaited then
    redis.call('HSET', meta, 'n', n, 't', t)
    return n
  end
  redis.call('HSET', meta, 'n', n, 't', t, 'gate', shard.inc)
  redis.call('PUBLISH', 'mr:bell', meta:match('{(.*)}') .. ':' .. n)
  return n
end

local FORMAT = 2
local HEADER = '>Bc1c8I7I5I5I5c5BB'
local HEADER_BYTES = 39
local LOCK = '>I6c8'
local LOCK_BYTES = 14

-- Parts of a header of format 1: <state><cas><lock>,<datatype><flags>,<expiry>,<revision>,<modified>,<origin>, the end of
-- a line, and the transactions. The cas is the seqno. A lock from then has ended.
local function parse_text(header)
  local state, cas, datatype, flags, expiry, revision, begin =
    header:match('^([LDE])(%d+)[^,]*,([JB])(%d+),([^,]*),(%d+),[^\n]*\n()')
  if not state then error({err = 'WRONGTYPE A document has a header that this version does not write'}) end
  local seqno = tonumber(cas)
  return state, struct.pack('>I8', seqno), seqno, tonumber(revision), tonumber(expiry) or 0,
    datatype .. struct.pack('>I4', flags), begin
end

-- Parts of a header: state, cas (8 bytes), seqno, revision, expiry, type (5 bytes), where its transactions begin, and its
-- lock (14 bytes) or nil.
local function parse(header)
  if header:byte() ~= FORMAT then return parse_text(header) end
  local _, state, cas, seqno, revision, _, expiry, type, length, lock = struct.unpack(HEADER, header)
  local begin = HEADER_BYTES + 1 + length
  if lock == 0 then return state, cas, seqno, revision, expiry, type, begin end
  return state, cas, seqno, revision, expiry, type, begin + LOCK_BYTES,
    header:sub(HEADER_BYTES + 1, HEADER_BYTES + LOCK_BYTES)
end

-- A header without a lock and without transactions.
local function compose(state, cas, seqno, revision, now, expiry, type, origin)
  return struct.pack(HEADER, FORMAT, state, cas, seqno, revision, math.floor(now), expiry, type, #origin, 0) .. origin
end

-- A header with another lock, nil for none.
local function with_lock(header, lock)
  local state, cas, seqno, revision, expiry, type, begin, former = parse(header)
  if header:byte() ~= FORMAT then
    local modified, origin = header:match('^[^,]*,[^,]*,[^,]*,[^,]*,(%-?%d+),([^\n]*)\n')
    header = compose(state, cas, seqno, revision, math.max(0, modified), expiry, type, origin) .. header:sub(begin)
  end
  local rest = header:sub(HEADER_BYTES + 1 + (former and LOCK_BYTES or 0))
  return header:sub(1, HEADER_BYTES - 1) .. (lock and '\1' .. lock or '\0') .. rest
end

-- The cas of a lock, and whether the lock still holds; nil when there is none.
local function locked(lock, now)
  if not lock then return nil, false end
  local till, cas = struct.unpack(LOCK, lock)
  return cas, till > now * 1000
end

-- How many transactions a header remembers, and the byte of those that created the document.
local function creations(header, begin)
  local length = #header - begin + 1
  return math.floor(length / TRANSACTION_BYTES), length % TRANSACTION_BYTES == 1 and header:byte(-1) or 0
end

-- What follows one more transaction in a header: the transactions that are kept, and the byte of those that created the
-- document, or nothing. begin is nil when there was no header.
local function remember(header, begin, created)
  local count, marks, rest = 0, 0, ''
  if begin then
    count, marks = creations(header, begin)
    if count * TRANSACTION_BYTES >= REMEMBERED then count, marks = count - 1, math.floor(marks / 2) end
    rest = header:sub(begin, begin + count * TRANSACTION_BYTES - 1)
  end
  if created then marks = marks + 2 ^ count end
  return rest, marks > 0 and string.char(marks) or ''
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
  return header:sub(at + 8, at + 15), math.floor(marks / 2 ^ older) % 2 == 1
end

-- How the member of by_seq begins, by state.
local ROW = {L = '1L', D = '1D', E = '1E'}

-- Moves the row of a document to the end of the order; from is its former state, or nil when it is new. The new row
-- first: a key that has lost its last member is not to be had again while a cluster moves its slot.
local function move(order, ref, from, to, seqno)
  redis.call('ZADD', order, seqno, ROW[to] .. ref)
  if from and from ~= to then
    redis.call('ZREM', order, ROW[from] .. ref)
  end
end

-- Puts the row of a document into an order, in place of whatever row it had there: the new one first, as in move.
local function place(order, row, seqno)
  redis.call('ZADD', order, seqno, row)
  for state in ('LDE'):gmatch('.') do
    if state ~= row:sub(2, 2) then redis.call('ZREM', order, '1' .. state .. row:sub(3)) end
  end
end
