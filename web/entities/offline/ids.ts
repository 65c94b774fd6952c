import { uuidv7 } from 'uuidv7'

/** Client-generated id. The server uses it as the resource's id and to detect duplicates. */
export const newId = (): string => uuidv7()
