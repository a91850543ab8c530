-- Makes a shard ready for an incarnation and for collections. Done again, it changes nothing.
--
-- KEYS  1 meta   HASH, the shard
-- ARGV  1 inc    the incarnation, with the format of documents
--       2 first  the number before its first seqno
--       3 seen   the newest seqno that the caller knows of
--       4 ...    c:<cid> of each collection
-- Returns O open, S the shard has a newer incarnation, F a newer version writes to it, L Redis has lost writes of this
--         incarnation: a new one must begin

local NO_REPLICATION = ('0'):rep(40)

-- The last incarnation that numbers have room for.
local LAST = 2047

-- How many numbers a restart of Redis leaves out: more than it can have lost of those that it had assigned.
local GAP = 2 ^ 24

-- How many stretches of numbers that may be lost a shard remembers.
local STRETCHES = 32

-- Whether a slot of a cluster came from another node with everything in it. A node that was promoted has a second
-- replication id, its former master's.
local function moved(before)
  local node = run():match(' .*')
  if not node or before:match(' .*') == node then return false end
  return redis.call('INFO', 'replication'):match('master_replid2:(%x+)') == NO_REPLICATION
end

-- The newest format of documents behind a gate; that of the first versions is not named there.
local function format(gate)
  return tonumber(gate:match('/(%d+)') or 1)
end

-- Notes that the numbers from newest to first may be lost: they are not assigned again. The latest stretch comes first.
local function note(meta, first, newest)
  local known = redis.call('HGET', meta, 'lost')
  local stretches = { first .. ' ' .. newest }
  for stretch in (known or ''):gmatch('%d+ %d+') do
    if #stretches < STRETCHES then stretches[#stretches + 1] = stretch end
  end
  redis.call('HSET', meta, 'lost', table.concat(stretches, ' '))
end

local function open(keys, args)
  local meta = keys[1]
  local inc, first = args[1], args[2]

  local found = redis.call('HMGET', meta, 'gate', 'run', 'n')
  local gate, before, newest = found[1], found[2], found[3]
  local current = incarnation(gate)
  local wanted = incarnation(inc)
  if current and tonumber(current) > tonumber(wanted) then return 'S' end
  if current == wanted and format(gate) > format(inc) then return 'F' end
  local shut = gate and gate:sub(1, 1) == '~'
  local lost = before and newest and before ~= run() and not moved(before)
  if current ~= wanted then
    redis.call('HSET', meta, 'gate', inc, 'n', first)
    if lost then note(meta, first, newest) end
  elseif not shut then
    if lost then
      local next = tonumber(newest) + GAP
      local full = next >= tonumber(first) + 2 ^ 42
      if (full or tonumber(args[3]) > tonumber(newest)) and tonumber(wanted) < LAST then return 'L' end
      if not full then
        local after = string.format('%.0f', next)
        note(meta, after, newest)
        redis.call('HSET', meta, 'n', after)
      end
    end
    if format(gate) < format(inc) then redis.call('HSET', meta, 'gate', inc) end
  end
  if not shut then redis.call('HSET', meta, 'run', run()) end
  for i = 4, #args do redis.call('HSETNX', meta, args[i], 0) end
  return 'O'
end

redis.register_function(LIBRARY .. '_open', open)
