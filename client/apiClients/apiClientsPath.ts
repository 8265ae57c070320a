export const apiClientsPath = '/console/general/api-clients'
