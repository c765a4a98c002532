#!/usr/bin/env node
import { main } from '../dist/cli/main.js'

await main('kafka-unclean-recovery', process.argv.slice(2))
