import fc from 'fast-check'

// Every run tries the same generated cases, so that a change is judged by what it changes; TEST_SEED=$RANDOM tries others.
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_127) })
