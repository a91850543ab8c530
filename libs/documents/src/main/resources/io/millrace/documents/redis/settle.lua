-- Opens a shard to which a move has brought everything.
--
-- KEYS  1 meta  HASH, the shard
-- ARGV  1 move   names the caller
--       2 inc   the incarnation
--       3 n     the number before its first seqno
--       4 ...   further fields and their values
-- Returns O open, S another move has taken over, or the shard is open

local function settle(keys, args)
  local meta = keys[1]

  if redis.call('HGET', meta, 'arriving') ~= args[1] then return 'S' end
  redis.call('HDEL', meta, 'arriving')
  redis.call('HSET', meta, 'gate', args[2], 'n', args[3], unpack(args, 4))
  return 'O'
end

redis.register_function(LIBRARY .. '_settle', settle)
