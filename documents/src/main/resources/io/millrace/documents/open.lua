-- Makes a shard ready for an incarnation and for collections. Done again, it changes nothing.
--
-- KEYS  1 meta   HASH, the shard
-- ARGV  1 inc    the incarnation
--       2 first  the number before its first seqno
--       3 ...    c:<cid> of each collection
-- Returns O open, S the shard has a newer incarnation

local function open(keys, args)
  local meta = keys[1]
  local inc, first = args[1], args[2]

  local gate = redis.call('HGET', meta, 'gate')
  local current = gate and gate:match('%d+')
  if current and tonumber(current) > tonumber(inc) then return 'S' end
  if current ~= inc then redis.call('HSET', meta, 'gate', inc, 'n', first) end
  for i = 3, #args do redis.call('HSETNX', meta, args[i], 0) end
  return 'O'
end

redis.register_function(LIBRARY .. '_open', open)
