-- Refuses further writes to collections of a shard, or to the whole shard: they are answered with S from now on.
--
-- KEYS  1 meta  HASH, the shard
-- ARGV  1 inc   the incarnation
--       2 ...   c:<cid> of each collection; none for the whole shard
-- Returns O closed, S the shard has another incarnation

local function close(keys, args)
  local meta = keys[1]

  if incarnation(redis.call('HGET', meta, 'gate')) ~= incarnation(args[1]) then return 'S' end
  if #args == 1 then
    redis.call('DEL', meta)
  else
    redis.call('HDEL', meta, unpack(args, 2))
  end
  return 'O'
end

redis.register_function{function_name = LIBRARY .. '_close', callback = close, flags = {'allow-oom'}}
