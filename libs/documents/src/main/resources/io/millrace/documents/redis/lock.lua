-- Locks one living document. Done again with the same cas, it changes nothing.
--
-- KEYS  1 doc    HASH, the document
--       2 meta   HASH, the shard
-- ARGV  1 inc    the incarnation that the caller believes in
--       2 cas    of the lock, chosen by the caller
--       3 now    second with its fraction
--       4 until  likewise, when the lock ends
-- Returns L locked, K locked by another caller, N not there, S unknown shard or incarnation

local function lock(keys, args)
  local doc, meta = keys[1], keys[2]
  local inc, key, now, till = args[1], args[2], args[3], args[4]

  if not enter(meta, inc) then return 'S' end
  local header = redis.call('HGET', doc, 'h')
  if not header then return 'N' end
  local state, cas, former, _, expires = parse(header)
  if state ~= 'L' or (expires ~= '' and tonumber(expires) <= tonumber(now)) then return 'N' end
  local holder, holds = locked(former, now)
  if holder == key then return 'L' end
  if holds then return 'K' end

  local rest = header:sub(#state + #cas + #former + 1)
  redis.call('HSET', doc, 'h', state .. cas .. '!' .. till .. ':' .. key .. rest)
  return 'L'
end

redis.register_function(LIBRARY .. '_lock', lock)
