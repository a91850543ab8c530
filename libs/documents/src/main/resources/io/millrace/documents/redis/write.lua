-- Changes one document.
--
-- KEYS  1 doc          HASH, the document
--       2 order        ZSET, by_seq
--       3 meta         HASH, the shard
--       4 expiries     ZSET, <cid>:<id> by second of expiry
--       5 ids          ZSET, <cid>:<id> of living documents, all with score 0
-- ARGV  1 inc          the incarnation that the caller believes in
--       2 counter      c:<cid>
--       3 ref          <cid>:<id>
--       4 kind         I insert, U upsert, R replace, D remove, T tombstone
--       5 expected     the cas that the document or its lock must have, 0 for any, -1 for never written
--       6 transaction  8 bytes
--       7 now          second with its fraction
--       8 type         <datatype><flags> of the new body
--       9 expiry       second, empty for never, P<expiry> to preserve that of a living document
--      10 origin       <instance>:<hops>, or empty
--      11 drops        fields to drop, one letter each
--      12 stamps       where the new version is written: <field><offset><form>, with commas between; the 18 bytes at
--                      offset of that field become the seqno (s), or the cas in reverse order (c)
--      13 ...          fields to set: name, value, name, value; b, the body, is the first of them when it is given
-- Returns W<cas> written, A<cas> written before under this transaction, both in lower case when the write created the
--         document; C<cas> has another cas, E<cas> exists, K<cas> locked, N not there, S unknown shard, incarnation or
--         collection; only W and w changed anything

-- Writes a version into the fields to set, from args[13] on.
local function stamp(args, seqno)
  local swapped = struct.pack('<I8', seqno):gsub('.', function(c) return string.format('%02x', c:byte()) end)
  local plain = struct.pack('>I8', seqno):gsub('.', function(c) return string.format('%02x', c:byte()) end)
  for field, offset, form in args[12]:gmatch('(.)(%d+)([cs])') do
    for i = 13, #args, 2 do
      if args[i] == field then
        local value, at = args[i + 1], tonumber(offset)
        args[i + 1] = value:sub(1, at) .. '0x' .. (form == 'c' and swapped or plain) .. value:sub(at + 19)
      end
    end
  end
end

local function write(keys, args)
  local doc, order, meta, expiries, ids = keys[1], keys[2], keys[3], keys[4], keys[5]
  local inc, counter, ref, kind, expected, transaction = args[1], args[2], args[3], args[4], args[5], args[6]

  local open, awaited = enter(meta, inc)
  if not open then return 'S' end

  local header = redis.call('HGET', doc, 'h')
  local state, cas, lock, old_type, expires, revision, begin = nil, '0', '', nil, '', nil, nil
  if header then
    state, cas, lock, old_type, expires, revision, begin = parse(header)
    local before, creation = remembered(header, begin, transaction)
    if before then return (creation and 'a' or 'A') .. before end
  end

  local due = state == 'L' and expires ~= '' and tonumber(expires) <= tonumber(args[7])
  local live = state == 'L' and not due
  if (kind == 'I' or kind == 'T') and live then return 'E' .. cas end
  if (kind == 'R' or kind == 'D') and not live then return 'N' end
  if lock ~= '' and live then
    local key, holds = locked(lock, args[7])
    if holds and expected ~= key then return 'K' .. cas end
    if expected == key then expected = cas end
  end
  if expected == '-1' and not state then expected = '0' end
  if expected ~= '0' and expected ~= cas then return 'C' .. cas end

  local ends = kind == 'D' or kind == 'T'
  local becomes = ends and 'D' or 'L'
  local created = not live and not ends
  local births = (becomes == 'L' and 1 or 0) - (state == 'L' and 1 or 0)
  if births ~= 0 and redis.call('HEXISTS', meta, counter) == 0 then return 'S' end
  local new_type, expiry = args[8], args[9]
  if state and args[13] ~= 'b' then new_type = live and old_type or 'J0' end
  if ends then new_type, expiry = 'J0', '' end
  if expiry:sub(1, 1) == 'P' then expiry = live and expires or expiry:sub(2) end

  local seqno = next_seqno(meta)
  -- what users wrote to a tombstone does not become part of the document that takes its place
  if due or state and created then redis.call('HDEL', doc, 'b', 'u') end
  if args[11] ~= '' then
    for field in args[11]:gmatch('.') do redis.call('HDEL', doc, field) end
  end
  if args[12] ~= '' then stamp(args, seqno) end
  redis.call('HSET', doc, 'h', becomes .. seqno .. ',' .. new_type .. ',' .. expiry .. ','
    .. history(revision, args[7]) .. args[10] .. '\n'
    .. remember(header, begin, transaction, seqno, created), unpack(args, 13))
  move(order, ref, state, becomes, seqno)
  if expiry ~= expires then
    if expiry == '' then redis.call('ZREM', expiries, ref) else redis.call('ZADD', expiries, expiry, ref) end
  end
  if births ~= 0 then
    redis.call('HINCRBY', meta, counter, births)
    if births > 0 then redis.call('ZADD', ids, 0, ref) else redis.call('ZREM', ids, ref) end
  end
  if awaited then ring(meta, inc, seqno) end
  return (created and 'w' or 'W') .. seqno
end

redis.register_function(LIBRARY .. '_write', write)
