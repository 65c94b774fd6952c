/** Maximum validity of an invitation, in days. */
export const maxInvitationDays = 30
