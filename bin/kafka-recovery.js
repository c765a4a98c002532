#!/usr/bin/env node
import { main } from '../dist/cli/main.js'

await main('kafka-recovery', process.argv.slice(2))
