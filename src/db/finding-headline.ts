/** SQL for the name of a detection `d` of one of the `signals`, the same in every list, alert, CRM record and webhook. */
export const FINDING_HEADLINE = 'coalesce(d.headline, signals.name)'
