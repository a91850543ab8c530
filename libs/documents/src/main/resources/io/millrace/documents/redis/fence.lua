-- Refuses the writers of a shard while its bucket moves, or lets them in again. The gate is then ~<inc>~<move>, and
-- ~<inc>~<move>! when it has moved. The field leaving names the move from its first copy on.
--
-- KEYS  1 meta   HASH, the shard
-- ARGV  1 inc    the incarnation that the caller believes in
--       2 move   names the caller
--       3 what   F refuse, also in place of another move; M for good: the bucket has moved; U let in again after this
--                move; A let in again, whichever move it was
-- Returns O done, M the bucket has moved, S the shard has another incarnation, or was refused by another move

local function fence(keys, args)
  local meta, inc, what = keys[1], args[1], args[3]

  local gate = redis.call('HGET', meta, 'gate')
  if incarnation(gate) ~= incarnation(inc) then return 'S' end
  local own = '~' .. inc .. '~' .. args[2]
  local moved = own .. '!'
  if what == 'F' then
    if gate:sub(1, 1) == '~' and gate:sub(-1) == '!' then return 'M' end
    redis.call('HSET', meta, 'gate', own)
  elseif what == 'M' then
    if gate ~= own then return 'S' end
    redis.call('HSET', meta, 'gate', moved)
  else
    local refused = gate:sub(1, 1) == '~'
    if refused and what == 'U' and gate ~= own and gate ~= moved then return 'S' end
    if refused then redis.call('HSET', meta, 'gate', inc) end
    if what == 'A' or redis.call('HGET', meta, 'leaving') == args[2] then redis.call('HDEL', meta, 'leaving') end
  end
  return 'O'
end

redis.register_function{function_name = LIBRARY .. '_fence', callback = fence, flags = {'allow-oom'}}
