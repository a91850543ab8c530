-- Saves checkpoints of one function, each if the caller still owns its vbucket. A record with another epoch and without
-- an owner gives the vbucket up.
--
-- KEYS  1 checkpoints  HASH, see claim.lua
-- ARGV  1 ...          per vbucket: vbucket, epoch with which the caller owns it, record (see claim.lua)
-- Returns { vbucket, ... }: those that were not saved, because another epoch has claimed them, their checkpoints were
--         deleted, or the latest claim was made in another run of Redis

local ARGS_PER_VBUCKET = 3

local function save(keys, args)
  local checkpoints = keys[1]

  local run = redis.call('HGET', checkpoints, 'run')
  local same = not run or run == redis.call('INFO', 'server'):match('run_id:(%x+)')

  local vbuckets = {}
  for i = 1, #args, ARGS_PER_VBUCKET do vbuckets[#vbuckets + 1] = args[i] end
  local found = redis.call('HMGET', checkpoints, unpack(vbuckets))
  local fenced, saved = {}, {}
  for i, vbucket in ipairs(vbuckets) do
    local epoch, record = args[ARGS_PER_VBUCKET * i - 1], args[ARGS_PER_VBUCKET * i]
    if same and found[i] and string.match(found[i], '^1 (%d+) ') == epoch then
      saved[#saved + 1] = vbucket
      saved[#saved + 1] = record
    else
      fenced[#fenced + 1] = tonumber(vbucket)
    end
  end
  if #saved > 0 then
    redis.call('HSET', checkpoints, unpack(saved))
  end
  return fenced
end

redis.register_function(LIBRARY .. '_save', save)
