-- Reads the tip of a stream, unless it still has the etag that the caller knows.
--
-- KEYS  as of sync
-- ARGV  1 inc, 2 counter, 3 ref, 4 now: not used
--       5 etag   that the caller knows, 0 to read it always
-- Returns F n i base etag unfolds event ...  found, M not modified, N no such stream, D the document is not a stream

local function tip(keys, args)
  local found = redis.call('HMGET', keys[1], 'h', 't')
  if not found[1] then return {'N'} end
  if not found[2] then return {'D'} end
  local _, _, seqno = parse(found[1])
  local cas = decimal(seqno)
  if cas == args[5] then return {'M'} end
  local n, i, base = parse_log(found[2])
  local answer = {'F', tostring(n), tostring(i), tostring(base), cas, redis.call('HGET', keys[1], 'b')}
  return append(answer, range(keys[5], base, i, n))
end

redis.register_function{function_name = LIBRARY .. '_tip', callback = tip, flags = {'no-writes'}}
