local function add(keys, args)
  return redis.call('INCRBY', keys[1], STEP * args[1])
end

redis.register_function(LIBRARY .. '_add', add)
