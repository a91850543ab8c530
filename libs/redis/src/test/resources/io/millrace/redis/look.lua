local function look(keys, args)
  return { redis.call('GET', keys[1]), #args }
end

redis.register_function { function_name = LIBRARY .. '_look', callback = look, flags = { 'no-writes' } }
