-- Makes a shard ready for an incarnation and for collections. Done again, it changes nothing.
--
-- KEYS  1 meta   HASH, the shard
-- ARGV  1 inc    the incarnation
--       2 first  the number before its first seqno
--       3 ...    c:<cid> of each collection
-- Returns O open, S the shard has a newer incarnation, L Redis may have lost writes of this incarnation: a new one must
--         begin

local NO_REPLICATION = ('0'):rep(40)

-- The last incarnation that numbers have room for.
local LAST = 2047

-- Whether a slot of a cluster came from another node with everything in it. A node that was promoted has a second
-- replication id, its former master's.
local function moved(before)
  local node = run():match(' .*')
  if not node or before:match(' .*') == node then return false end
  return redis.call('INFO', 'replication'):match('master_replid2:(%x+)') == NO_REPLICATION
end

local function open(keys, args)
  local meta = keys[1]
  local inc, first = args[1], args[2]

  local found = redis.call('HMGET', meta, 'gate', 'run', 'n')
  local gate, before, newest = found[1], found[2], found[3]
  local current = incarnation(gate)
  if current and tonumber(current) > tonumber(inc) then return 'S' end
  local shut = gate and gate:sub(1, 1) == '~'
  local lost = before and newest and before ~= run() and not moved(before)
  if current ~= inc then
    redis.call('HSET', meta, 'gate', inc, 'n', first)
    if lost then redis.call('HSET', meta, 'lost', first .. ' ' .. newest) end
  elseif lost and not shut and tonumber(inc) < LAST then
    return 'L'
  end
  if not shut then redis.call('HSET', meta, 'run', run()) end
  for i = 3, #args do redis.call('HSETNX', meta, args[i], 0) end
  return 'O'
end

redis.register_function(LIBRARY .. '_open', open)
