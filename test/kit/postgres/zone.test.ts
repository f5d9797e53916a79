import { afterEach, describe, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { callIn } from '../../../src/kit/context.ts'
import { getBillingConsumption } from '../../../src/modules/billing/consumption.ts'
