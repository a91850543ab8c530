-- Ends the lock of one document before its time.
--
-- KEYS  1 doc    HASH, the document
--       2 meta   HASH, the shard
-- ARGV  1 inc    the incarnation that the caller believes in
--       2 cas    of the lock, 8 bytes
--       3 now    second with its fraction
-- Returns U unlocked, F not locked (any more), K locked by another caller, N not there, S unknown shard or incarnation

local function unlock(keys, args)
  local doc, meta = keys[1], keys[2]
  local inc, key, now = args[1], args[2], tonumber(args[3])

  if not enter(meta, inc) then return 'S' end
  local header = redis.call('HGET', doc, 'h')
  if not header then return 'N' end
  local state, _, _, _, expiry, _, _, lock = parse(header)
  if state ~= 'L' or (expiry ~= 0 and expiry <= now) then return 'N' end
  local holder, holds = locked(lock, now)
  if not holds then return 'F' end
  if holder ~= key then return 'K' end

  redis.call('HSET', doc, 'h', with_lock(header, nil))
  return 'U'
end

redis.register_function{function_name = LIBRARY .. '_unlock', callback = unlock, flags = {'allow-oom'}}
