import path from 'node:path'
import type { Config } from '#server/config.ts'
import type { Storage } from '#server/kernel/storage.ts'
import { createFolderStorage } from './folder.ts'
import { createS3Storage } from './s3.ts'

export const createStorage = (config: Pick<Config, 'dataDir' | 's3'>): Storage =>
  config.s3 ? createS3Storage(config.s3) : createFolderStorage(path.join(config.dataDir, 'media'))
