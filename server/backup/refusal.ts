import { ToldError } from '../error-line.ts'

/** A file that is no whole backup, or that does not fit where it was to go. Nothing has been written when it is thrown while checking. */
export class BackupRefused extends ToldError {
  override name = 'BackupRefused'
}
