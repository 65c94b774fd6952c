import { uuidv7 } from 'uuidv7'

/** Client-generated ID. The server uses it as the resource's ID and to detect duplicates. */
export const newId = (): string => uuidv7()
