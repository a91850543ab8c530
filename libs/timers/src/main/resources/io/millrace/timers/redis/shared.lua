-- What the operations below share. Loaded first, see TimerFunctions.java.
--
-- Keys of a shard of a function's timers
--   gate  HASH  instance: whose timers these are, absent when closed; seq: the newest version;
--               e<p>: epoch of the owner of partition p; c<p>: nonce of its newest claim
--   dir   ZSET  the directory: partition -> when its earliest timer is due
-- Keys of a partition
--   due   ZSET  id -> millisecond when it is due; CLAIMED more while its callback runs
--   rec   HASH  id -> <version><attributes>\n<context>, see TimerRecord.java; functions read only the version;
--               mark: how far a feed has been read whose document timers are all here, see mark.lua
--   dead  ZSET  <head>\n<id><error><record> -> version, see DeadLetterRecord.java

local CLAIMED = 1125899906842624
local FENCED = -1
local MARK = 'mark'

-- Within how many milliseconds a timer must be due to be rung for. Nodes look for themselves before later ones are due: every
-- five seconds, RUNG_POLL of TimerLimits.java; their clocks may differ from that of Redis by as much.
local RUNG_WITHIN = 10000

-- Moments as old as the clock: they grow even when the newest ones were lost with a crash of Redis.
local function next_version(gate)
  local time = redis.call('TIME')
  local version = math.max(time[1] * 1000000 + time[2], tonumber(redis.call('HGET', gate, 'seq') or 0) + 1)
  local text = string.format('%.0f', version)
  redis.call('HSET', gate, 'seq', text)
  return text
end

local function owned(gate, partition, epoch)
  return redis.call('HGET', gate, 'e' .. partition) == epoch
end

local function version_of(record)
  return record and record:match('^%d+')
end

-- The line feed and the context.
local function behind_attributes(record)
  return record:sub((record:find('\n', 1, true)))
end

-- Tells those who fire the timers of a shard that one may be due earlier than all they know of. Each knows those of its own
-- partitions only, so an earlier timer of another partition does not make up for it.
local function ring(dir)
  redis.call('PUBLISH', 'mr:bell', 'timers:' .. dir:match('{(.-)}') .. ':0')
end

-- Writes a timer down, in place of the one with the same id.
local function put(gate, dir, due, rec, partition, id, at, rest)
  local version = next_version(gate)
  redis.call('HSET', rec, id, version .. rest)
  redis.call('ZADD', due, at, id)
  local earliest = redis.call('ZADD', dir, 'LT', 'CH', at, partition) == 1
  if earliest and tonumber(at) < version / 1000 + RUNG_WITHIN then -- a version is a time in microseconds
    ring(dir)
  end
  return version
end

-- Sets the directory to the earliest timer that is not claimed.
local function enter_head(dir, due, partition)
  local first = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')
  if first[1] and tonumber(first[2]) < CLAIMED then
    redis.call('ZADD', dir, first[2], partition)
  else
    redis.call('ZREM', dir, partition)
  end
end
