import fs from 'node:fs'
import path from 'node:path'
import { projectRoot } from './config.ts'

/** The version of package.json, as backups, metrics and traces name it. */
export const release: string = (JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version
