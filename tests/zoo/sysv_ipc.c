/* Makes System V shared memory, semaphores and a message queue. */
#include "play.h"

#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

static const char *misdeed(const char *line)
{
    (void)line;
    int memory = shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600);
    act("shmget", memory);
    int semaphores = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
    act("semget", semaphores);
    int queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    act("msgget", queue);
    if (memory >= 0)
        shmctl(memory, IPC_RMID, NULL);
    if (semaphores >= 0)
        semctl(semaphores, 0, IPC_RMID);
    if (queue >= 0)
        msgctl(queue, IPC_RMID, NULL);
    return report();
}
