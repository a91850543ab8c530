-- Keeps a dead letter, in place of one of the same name, while its vbucket is owned with the epoch that writes. What is
-- too much goes, the oldest first.
--
-- KEYS[1] letters      HASH  name -> letter as JSON; #, how many there ever were
-- KEYS[2] order        ZSET  name by its number
-- KEYS[3] replays      SET   names of those that are to be replayed
-- KEYS[4] checkpoints  HASH  as in claim.lua
-- ARGV[1] vbucket
-- ARGV[2] epoch        with which the writer owns it
-- ARGV[3] name
-- ARGV[4] letter
-- ARGV[5] most         how many are kept
--
-- Returns { dropped }: how many made room, -1 when the vbucket is not the writer's, and nothing was written.
local letters, order, replays, checkpoints = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

local checkpoint = redis.call('HGET', checkpoints, ARGV[1])
if not checkpoint or string.match(checkpoint, '^1 (%d+) ') ~= ARGV[2] then
  return { -1 }
end
local number = redis.call('HINCRBY', letters, '#', 1)
redis.call('HSET', letters, ARGV[3], ARGV[4])
redis.call('ZADD', order, number, ARGV[3])
redis.call('SREM', replays, ARGV[3])
local surplus = redis.call('ZCARD', order) - tonumber(ARGV[5])
local dropped = surplus > 0 and redis.call('ZRANGE', order, 0, surplus - 1) or {}
for _, name in ipairs(dropped) do
  redis.call('HDEL', letters, name)
  redis.call('ZREM', order, name)
  redis.call('SREM', replays, name)
end
return { #dropped }
