import fs from 'node:fs'
import path from 'node:path'
import { projectRoot } from './config.ts'

/** The version in package.json, for backups, metrics and traces. */
export const release: string = (JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version
