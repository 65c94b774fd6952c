export const channels = ['in_app', 'email', 'push'] as const
