import * as contract from '#contracts/settings.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { editProfile, savePrivacy } from './edit-profile.ts'

export function addSettings(api: Api): void {
  route(api, contract.editProfile, ({ ctx, session, body }) => editProfile(ctx, session, body))

  route(api, contract.savePrivacy, ({ ctx, session, body }) => savePrivacy(ctx, session, body))
}
