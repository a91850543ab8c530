-- Locks one living document. Done again with the same cas, it changes nothing.
--
-- KEYS  1 doc    HASH, the document
--       2 meta   HASH, the shard
-- ARGV  1 inc    the incarnation that the caller believes in
--       2 cas    of the lock, 8 bytes chosen by the caller
--       3 now    second with its fraction
--       4 until  the millisecond when the lock ends
-- Returns L locked, K locked by another caller, N not there, S unknown shard or incarnation

local function lock(keys, args)
  local doc, meta = keys[1], keys[2]
  local inc, key, now = args[1], args[2], tonumber(args[3])

  if not enter(meta, inc) then return 'S' end
  local header = redis.call('HGET', doc, 'h')
  if not header then return 'N' end
  local state, _, _, _, expiry, _, _, former = parse(header)
  if state ~= 'L' or (expiry ~= 0 and expiry <= now) then return 'N' end
  local holder, holds = locked(former, now)
  if holder == key then return 'L' end
  if holds then return 'K' end

  redis.call('HSET', doc, 'h', with_lock(header, struct.pack(LOCK, args[4], key)))
  return 'L'
end

redis.register_function(LIBRARY .. '_lock', lock)
