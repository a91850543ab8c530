-- Brings keys, and with them the rows of documents, to a shard that a move has made ready.
--
-- KEYS  1 meta      HASH, the shard
--       2 order     ZSET, by_seq
--       3 expiries  ZSET, <cid>:<id> by second of expiry
--       4 ids       ZSET, <cid>:<id> of living documents, all with score 0
--       5 ...       what is brought
-- ARGV  1 move      names the caller
--       2 each      how many keys belong together
--       3 ...       for those that belong together: the member of by_seq, empty when they do not belong to a document;
--                   the seqno of that row; the second of its expiry, or empty; and for each key what DUMP gave
--                   for it, empty when there was none
-- Returns O done, S another move has taken over, or the shard is open

local KEPT, FIRST = 4, 3

local function call(command, key, arguments)
  if arguments[1] then redis.call(command, key, unpack(arguments)) end
end

local function append(list, first, second)
  list[#list + 1] = first
  list[#list + 1] = second
end

local function arrive(keys, args)
  local order, expiries, ids, each = keys[2], keys[3], keys[4], tonumber(args[2])
  local rows, former, due, undue, living, dead = {}, {}, {}, {}, {}, {}
  local a = FIRST

  if redis.call('HGET', keys[1], 'arriving') ~= args[1] then return 'S' end
  for first = KEPT + 1, #keys, each do
    local member, seqno, expiry = args[a], args[a + 1], args[a + 2]
    a = a + 3
    for i = first, first + each - 1 do
      if args[a] == '' then redis.call('DEL', keys[i]) else redis.call('RESTORE', keys[i], 0, args[a], 'REPLACE') end
      a = a + 1
    end
    if member ~= '' then
      local state, ref = member:sub(2, 2), member:sub(3)
      append(rows, seqno, member)
      for other in pairs(ROW) do
        if other ~= state then append(former, ROW[other] .. ref) end
      end
      if expiry == '' then append(undue, ref) else append(due, expiry, ref) end
      if state == 'L' then append(living, '0', ref) else append(dead, ref) end
    end
  end

  -- the new rows first, as in move
  call('ZADD', order, rows)
  call('ZREM', order, former)
  call('ZADD', expiries, due)
  call('ZREM', expiries, undue)
  call('ZADD', ids, living)
  call('ZREM', ids, dead)
  return 'O'
end

redis.register_function(LIBRARY .. '_arrive', arrive)
