/** Where the API clients of the organisation are listed. */
export const apiClientsPath = '/console/general/api-clients'
