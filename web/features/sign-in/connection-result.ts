/** What became of connecting an account, as the way back from the provider says it in `/settings?openid=`: `connected` or an error's code. */
export const connectionResult = (search: string): string | null => new URLSearchParams(search).get('openid')

export function connectionProblem(code: string, provider: string): string {
  switch (code) {
    case 'access_denied':
      return `You stopped at ${provider}. Nothing was connected.`
    case 'another_session':
      return 'You signed out or in again on the way. Nothing was connected; try again.'
    case 'account_already_linked_to_different_user':
      return `This account of ${provider} is connected with another account here. Disconnect it there first.`
    case 'unable_to_link_account':
      return `${provider} has not confirmed the address of that account. Confirm it there first.`
    default:
      return `Connecting ${provider} did not work. Try again.`
  }
}
