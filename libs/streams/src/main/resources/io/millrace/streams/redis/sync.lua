-- Appends events to a stream and replaces its unfolds, if its version and etag are as the caller expects.
--
-- KEYS  1 doc          HASH, the stream's document
--       2 order        ZSET, by_seq
--       3 meta         HASH, the shard
--       4 expiries     not used
--       5 list         LIST, events
--       6 ids          ZSET, <cid>:<id> of living documents, all with score 0
-- ARGV  1 inc          the incarnation that the caller expects
--       2 counter      c:<cid>
--       3 ref          <cid>:<id>
--       4 now          second with its fraction
--       5 transaction  8 bytes
--       6 version      that the stream must have; -1 any, -2 to compare only the etag
--       7 etag         that the stream must have, 0 for no stream; empty to compare only the version
--       8 max events   of the tip; with more events it is calved
--       9 max bytes    of events in the tip; with more bytes it is calved
--      10 unfolds      JSON array
--      11 ...          events, a JSON object each
-- Returns W n etag                       written
--         A n etag                       written before under this transaction
--         C n i etag unfolds event ...   conflict; events of the tip from the expected version on, or no
--                                        events when the tip begins after it
--         D                              the document is not a stream
--         S                              unknown shard, incarnation or collection

local FIRST_EVENT = 11

-- The version that a transaction led to.
local function version_of(header, begin, transaction, versions)
  local at = header:find(transaction, begin, true)
  while (at - begin) % TRANSACTION_BYTES ~= 0 do at = header:find(transaction, at + 1, true) end
  local place = (at - begin) / TRANSACTION_BYTES * VERSION_BYTES
  return (struct.unpack('>I8', versions:sub(place + 1, place + VERSION_BYTES)))
end

local function conflict(list, n, i, base, cas, unfolds, expected)
  local answer = {'C', tostring(n), tostring(i), cas, unfolds}
  if expected < i then return answer end
  return append(answer, range(list, base, expected, n))
end

local function push(list, args, opens_batch, seqno)
  local mark = opens_batch and 'B' or 'E'
  for k = FIRST_EVENT, #args do
    args[k] = mark .. seqno .. args[k]
    mark = 'E'
  end
  for from = FIRST_EVENT, #args, PUSH_EVENTS do
    redis.call('RPUSH', list, unpack(args, from, math.min(from + PUSH_EVENTS - 1, #args)))
  end
end

local function sync(keys, args)
  local doc, meta, list, ids = keys[1], keys[3], keys[5], keys[6]
  local counter, ref, now, transaction = args[2], args[3], tonumber(args[4]), args[5]
  local version, etag = tonumber(args[6]), args[7]

  local shard = start(meta, args[1], now)
  if not shard then return {'S'} end

  local found = redis.call('HMGET', doc, 'h', 't')
  local header = found[1]
  local n, i, base, bytes, versions = 0, 0, 0, 0, ''
  local state, etag_now, revision, begin = nil, '0', 0, nil
  if header then
    if not found[2] then return {'D'} end
    local _, number
    state, _, number, revision, _, _, begin = parse(header)
    etag_now = decimal(number)
    n, i, base, bytes, versions = parse_log(found[2])
    local before = remembered(header, begin, transaction)
    if before then
      return {'A', tostring(version_of(header, begin, transaction, versions)), decimal((struct.unpack('>I8', before)))}
    end
  end
  if (version >= 0 and version ~= n) or (version ~= -1 and etag ~= '' and etag ~= etag_now) then
    return conflict(list, n, i, base, etag_now, header and redis.call('HGET', doc, 'b') or '[]', version)
  end
  if state ~= 'L' and redis.call('HEXISTS', meta, counter) == 0 then return {'S'} end

  for k = FIRST_EVENT, #args do bytes = bytes + #args[k] end
  local seqno = advance(shard)
  push(list, args, n == i, decimal(seqno))
  n = n + #args - FIRST_EVENT + 1
  if n - i > tonumber(args[8]) or bytes > tonumber(args[9]) then i, bytes = n, 0 end

  versions = struct.pack('>I8', n) .. versions:sub(1, REMEMBERED / TRANSACTION_BYTES * VERSION_BYTES - VERSION_BYTES)
  redis.call('HSET', doc, 'b', args[10], 't', format_log(n, i, base, bytes, versions))
  local rest, marks = remember(header, begin, state ~= 'L')
  change(keys, ref, shard, 'L', state, seqno, revision + 1, now, transaction .. struct.pack('>I8', seqno) .. rest .. marks)
  if state ~= 'L' then
    redis.call('HINCRBY', meta, counter, 1)
    redis.call('ZADD', ids, 0, ref)
  end
  return {'W', tostring(n), decimal(seqno)}
end

redis.register_function(LIBRARY .. '_sync', sync)
