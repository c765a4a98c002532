#!/usr/bin/env node
import { main } from '../dist/bundle/main.js'

await main('kafka-recovery', process.argv.slice(2))
